/** Replaces `${NAME}` by the value of the variable, as pip and uv do in requirements files. */
export function expandVariables(text: string, env: NodeJS.ProcessEnv): string {
  return text.replaceAll(/\$\{([A-Z0-9_]+)\}/g, (whole, name: string) => env[name] ?? whole);
}
