/** Images, audio and video: in base64 inside JSON, or as the body of a response. */
import { useEffect, useState } from 'preact/hooks';
import { formatBytes } from './formats.ts';
import { useHost } from './HostContext.ts';

/** First characters of the base64 of common file types. */
const BEGINNINGS: [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['SUQz', 'audio/mpeg'],
  ['T2dnUw', 'audio/ogg'],
];

/** Shorter texts are probably words. */
const MIN_LENGTH = 64;

/** The media in a text, as a data URL; null for any other text. */
export function mediaIn(text: string): string | null {
  if (/^data:(image|audio|video)\/[\w.+-]+;base64,/.test(text)) return text;
  if (text.length < MIN_LENGTH) return null;
  const known = BEGINNINGS.find(([beginning]) => text.startsWith(beginning))?.[1] ?? riffType(text);
  return known && /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text) ? `data:${known};base64,${text}` : null;
}

/** WAVE and WebP begin the same. */
function riffType(text: string): string | null {
  if (!text.startsWith('UklGR')) return null;
  const form = atob(text.slice(0, 16)).slice(8, 12);
  return { WAVE: 'audio/wav', WEBP: 'image/webp' }[form] ?? null;
}

/** @param media - A data URL. */
export function DataView({ media, name }: { media: string; name?: string }) {
  const type = /^data:([\w.+/-]+)/.exec(media)?.[1] ?? '';
  return (
    <figure>
      <Player url={media} type={type} />
      <figcaption class="muted">
        {name ? `${name} · ` : ''}
        {type}
      </figcaption>
    </figure>
  );
}

export function BytesView({ bytes, type }: { bytes: Uint8Array<ArrayBuffer>; type: string }) {
  const { editor } = useHost();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes, type]);
  return (
    <figure>
      {url && <Player url={url} type={type} />}
      <figcaption class="muted">
        {`${type || 'bytes'} · ${formatBytes(bytes.length)} · `}
        {editor && (
          <button type="button" class="link" onClick={() => editor.save('response', bytes)}>
            Save…
          </button>
        )}
        {!editor && url && (
          <a href={url} download="response">
            Save
          </a>
        )}
      </figcaption>
    </figure>
  );
}

function Player({ url, type }: { url: string; type: string }) {
  if (type.startsWith('image/')) return <img src={url} alt="" />;
  if (type.startsWith('audio/')) return <audio src={url} controls />;
  if (type.startsWith('video/')) return <video src={url} controls />;
  return null;
}
