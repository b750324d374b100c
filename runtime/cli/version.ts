/** The toolkit's version: a constant in the bundle, `0.1.0` when run from source. */
export const VERSION = process.env.TOOLKIT_VERSION ?? '0.1.0';
