/** A value that an endpoint returned: JSON in an editor with folding, text as it is, media as media. */
import { format } from 'jsonc-parser';
import { useState } from 'preact/hooks';
import { parsed } from '../request/Exchange.ts';
import { formatBytes } from './formats.ts';
import { JsonView } from './JsonEditor.tsx';
import { DataView, mediaIn } from './MediaView.tsx';

/** Maximum characters shown at first. */
const SHOWN = 200_000;

export function ValueView({ json }: { json: string }) {
  const [isWhole, setWhole] = useState(false);
  if (json.length > SHOWN && !isWhole) return <Folded text={json} open={() => setWhole(true)} />;
  const value = parsed(json);
  if (typeof value === 'string') {
    const media = mediaIn(value);
    return media ? <DataView media={media} /> : <TextView text={value} />;
  }
  const media = typeof value === 'object' && value !== null ? Object.entries(value).flatMap(mediaEntry) : [];
  return (
    <>
      {media.map(([name, url]) => (
        <DataView key={name} media={url} name={name} />
      ))}
      <JsonView key={json} text={indented(json)} label="Response, JSON" />
    </>
  );
}

export function TextView({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length > SHOWN && !isWhole) return <Folded text={text} open={() => setWhole(true)} />;
  return <pre class="text">{text}</pre>;
}

function Folded({ text, open }: { text: string; open: () => void }) {
  return (
    <div class="folded">
      <pre class="text">{`${text.slice(0, 2_000)}…`}</pre>
      <button type="button" onClick={open}>
        Show all of {formatBytes(text.length)}
      </button>
    </div>
  );
}

function mediaEntry([name, value]: [string, unknown]): [string, string][] {
  const media = typeof value === 'string' ? mediaIn(value) : null;
  return media ? [[name, media]] : [];
}

/** Changes only white space, so that no number changes. */
function indented(json: string): string {
  const parts: string[] = [];
  let end = 0;
  // Applied by hand: the library's function copies the whole text for each edit.
  for (const { offset, length, content } of format(json, undefined, { insertSpaces: true, tabSize: 2 })) {
    parts.push(json.slice(end, offset), content);
    end = offset + length;
  }
  return parts.join('') + json.slice(end);
}
