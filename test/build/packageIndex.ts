/**
 * A package index on this machine: the simple API (PEP 691, PEP 658) with sizes over real HTTP, with or
 * without a password.
 */
import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { tarHeader } from '../../runtime/build/archive/tarHeader.ts';
import { type WheelContents, wheelBytes, wheelMetadata, wheelName } from './wheels.ts';

/** A source distribution whose build needs only Python. */
interface SourceContents {
  name: string;
  version?: string;
  /** Tag of the wheel that the build makes. */
  tag?: string;
  /** A line that the build runs first. */
  runs?: string;
  /** Whether its metadata lists its requirements. Otherwise they are known only after a build. */
  describes?: boolean;
}

export interface PackageIndex {
  /** Address of the index, with the credentials that it requires. */
  url: string;
  host: string;
  /** Requested paths, in order. */
  requests: string[];
  /** `yanked` is the reason why its publisher withdrew it (PEP 592). */
  add(wheel: WheelContents, yanked?: string): void;
  addSource(source: SourceContents): void;
  address(file: string): string;
  close(): void;
}

/** Starts an index. Files can be replaced with `onFile`. */
export async function packageIndex(
  options: {
    login?: string;
    /** Projects whose requests never get a response. */
    isHeld?: (project: string) => boolean;
    onFile?: (name: string, response: ServerResponse, bytes: Buffer) => boolean;
  } = {},
): Promise<PackageIndex> {
  const files = new Map<
    string,
    { project: string; bytes: Buffer; metadata: string | null; yanked?: string | undefined }
  >();
  const requests: string[] = [];
  const wanted = options.login ? `Basic ${Buffer.from(options.login).toString('base64')}` : undefined;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(path);
    if (request.headers.authorization !== wanted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="index"' }).end();
      return;
    }
    const project = /^\/simple\/([^/]+)\/$/.exec(path)?.[1];
    const file = files.get(path.replace('/files/', ''));
    const described = files.get(path.replace(/^\/files\/(.*)\.metadata$/, '$1'));
    const known = [...files].filter(([, one]) => one.project === project);
    if (project && options.isHeld?.(project)) return;
    if (file) {
      const name = path.replace('/files/', '');
      if (options.onFile?.(name, response, file.bytes)) return;
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      const bytes = file.bytes.subarray(from);
      response.writeHead(from > 0 ? 206 : 200, { 'content-length': bytes.length }).end(bytes);
    } else if (described?.metadata) {
      response.end(described.metadata);
    } else if (project && known.length > 0) {
      response.writeHead(200, { 'content-type': 'application/vnd.pypi.simple.v1+json' });
      const listed = known.map(([name, { bytes, metadata, yanked = false }]) => ({
        filename: name,
        // Relative, so that a server in front can offer the index in a folder.
        url: `../../files/${name}`,
        size: bytes.length,
        hashes: { sha256: hash('sha256', bytes) },
        'core-metadata': metadata !== null,
        yanked,
      }));
      response.end(JSON.stringify({ meta: { 'api-version': '1.0' }, name: project, files: listed }));
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${options.login ? `${options.login}@` : ''}${host}/simple`,
    host,
    requests,
    add: (wheel, yanked) => {
      const bytes = wheelBytes(wheel);
      const metadata = wheelMetadata(wheel);
      files.set(wheelName(wheel), { project: wheel.name, bytes, metadata, yanked });
    },
    addSource: (source) => {
      const { name, version = '1.0' } = source;
      files.set(`${name}-${version}.tar.gz`, { project: name, bytes: sourceBytes(source), metadata: null });
    },
    address: (file) => `http://${host}/files/${file}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A source distribution with its own build backend (PEP 517), so that the isolated build fetches nothing. */
export function sourceBytes(source: SourceContents): Buffer {
  const { name, version = '1.0', tag = 'py3-none-any', runs = 'pass', describes = true } = source;
  const described = `[project]\nname = "${name}"\nversion = "${version}"\n`;
  const pyproject = `[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n${describes ? described : ''}`;
  const backend = `import os, zipfile
def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    ${runs}
    info = "${name}-${version}.dist-info"
    files = {
        "${name}.py": "built = True\\n",
        info + "/METADATA": "Metadata-Version: 2.1\\nName: ${name}\\nVersion: ${version}\\n",
        info + "/WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: ${tag}\\n",
    }
    files[info + "/RECORD"] = "".join(f"{file},,\\n" for file in files) + info + "/RECORD,,\\n"
    wheel = "${name}-${version}-${tag}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w") as archive:
        for file, text in files.items():
            archive.writestr(zipfile.ZipInfo(file, (1980, 1, 1, 0, 0, 0)), text)
    return wheel
`;
  const folder = `${name}-${version}`;
  const metadata = `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`;
  const parts = Object.entries({ 'pyproject.toml': pyproject, 'backend.py': backend, 'PKG-INFO': metadata });
  const blocks = parts.flatMap(([file, text]) => {
    const bytes = Buffer.from(text);
    const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
    return [tarHeader(`${folder}/${file}`, bytes.length, 0o644), bytes, padding];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}
