/** The project's own settings of uv: a build follows those that decide where packages come from, and never ignores a wrong one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexed } from './indexedProject.ts';

const HEAD = '[tool.toolkit]\npython = "3.11"\n';

const INVALID: { title: string; files: Record<string, string>; message: RegExp }[] = [
  {
    title: 'a value in [tool.uv]',
    files: { 'pyproject.toml': `${HEAD}[tool.uv]\nresolution = "newest"\n` },
    message: /^pyproject\.toml: \[tool\.uv\] is invalid in line 4: unknown variant "newest", expected .*\.$/,
  },
  {
    title: 'a value in [tool.uv] of a package that the index does not have',
    files: {
      'pyproject.toml': `${HEAD}[tool.uv]\nindex = [{ url = "https://example.org/simple", explicit = 5 }]\n`,
      'requirements.txt': 'absent\n',
    },
    message:
      /^pyproject\.toml: \[tool\.uv\] is invalid in line 4: invalid type: integer "5", expected a boolean\.$/,
  },
  {
    title: 'an unknown setting in [tool.uv]',
    files: { 'pyproject.toml': `${HEAD}[[tool.uv.indx]]\nurl = "https://example.org/simple"\n` },
    message: /^pyproject\.toml: \[tool\.uv\] is invalid in line 3: unknown field "indx", expected .*…\.$/,
  },
  {
    title: 'a value in uv.toml',
    files: { 'uv.toml': 'index = 5\n' },
    message: /^uv\.toml is invalid in line 1: invalid type: integer "5", expected a sequence\.$/,
  },
  {
    title: 'a setting in uv.toml that only pyproject.toml can have',
    files: { 'uv.toml': 'managed = true\n' },
    message: /^uv\.toml is invalid: The "managed" field is not allowed in a "uv\.toml" file\./,
  },
  {
    title: 'a package in the lock of another tool',
    files: { 'pylock.toml': 'lock-version = "1.0"\ncreated-by = "x"\n[[packages]]\nname = 5\n' },
    message: /^pylock\.toml cannot be used: invalid type: integer "5", expected a string\.$/,
  },
];
for (const { title, files, message } of INVALID) {
  test(`names the file and uv's reason for ${title}, and does not continue without it`, async (t) => {
    const { project, index, env } = await indexed(t, ['demo']);
    project.write(files);
    const building = project.build({ env: { ...env, UV_DEFAULT_INDEX: index.url } });
    await assert.rejects(building, { code: 'PROJECT_CONFIG', message });
  });
}
