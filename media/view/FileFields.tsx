/** A field for each body parameter of type bytes: a file instead of base64 in the JSON. */
import { useRef } from 'preact/hooks';
import type { PickedFile, PickedFiles } from '../request/files.ts';
import { formatBytes } from './formats.ts';

interface FileFieldsProps {
  names: readonly string[];
  files: PickedFiles;
  pick: (name: string, file: PickedFile) => void;
  remove: (name: string) => void;
}

export function FileFields({ names, files, pick, remove }: FileFieldsProps) {
  return (
    <div class="files">
      {names.map((name) => (
        <FileField
          key={name}
          name={name}
          file={files[name]}
          pick={(file) => pick(name, file)}
          remove={() => remove(name)}
        />
      ))}
    </div>
  );
}

interface FileFieldProps {
  name: string;
  file: PickedFile | undefined;
  pick: (file: PickedFile) => void;
  remove: () => void;
}

function FileField({ name, file, pick, remove }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const picked = async (chosen: File | undefined) => {
    if (!chosen) return;
    pick({ name: chosen.name, size: chosen.size, base64: await base64Of(chosen) });
    // Allow picking the same file again after it has changed.
    input.current!.value = '';
  };
  return (
    <p>
      <span class="name">{name}</span>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ currentTarget }) => void picked(currentTarget.files?.[0])}
      />
      <button
        type="button"
        class="quiet"
        aria-label={`Choose a file for ${name}`}
        onClick={() => input.current!.click()}
      >
        Choose File…
      </button>
      {file && (
        <>
          <span class="muted">{`${file.name} · ${formatBytes(file.size)}`}</span>
          <button type="button" class="quiet" aria-label={`Remove the file for ${name}`} onClick={remove}>
            Remove
          </button>
        </>
      )}
    </p>
  );
}

/** Encodes with the browser's own encoder: base64 is the end of a data URL. */
function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error!));
    reader.readAsDataURL(file);
  });
}
