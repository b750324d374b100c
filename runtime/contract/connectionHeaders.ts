/** Headers that apply to one connection only and are never forwarded (RFC 9110, 7.6.1), in lower case. */
export const CONNECTION_HEADERS = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const;
