/** Removes credentials from URLs before a text is reported, hashed or stored. */

/** Up to the last `@`, since a password can contain one. */
const USER = /\/\/[^/\s"?#]+@/g;

/** Removes the user part of all URLs in a text: `https://me:word@host/x` → `https://host/x`. */
export function redact(text: string): string {
  return text.replaceAll(USER, '//');
}

/** Hides the user part of all URLs in a text without moving the rest: `https://me:word@host/x` → `https://*******@host/x`. */
export function masked(text: string): string {
  return text.replaceAll(USER, (user) => `//${'*'.repeat(user.length - 3)}@`);
}
