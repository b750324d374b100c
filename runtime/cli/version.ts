/** The toolkit's version; the bundle carries it as a constant, sources run as `0.1.0` from package.json's neighbour. */
export const VERSION = process.env.TOOLKIT_VERSION ?? '0.1.0';
