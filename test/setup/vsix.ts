/** The packed extension, as `npm run package` makes it: what end-to-end tests install. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};

export const VSIX = path.join(root, `${name}-${version}.vsix`);
