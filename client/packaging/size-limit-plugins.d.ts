// Plugins of size-limit come without types.
declare module '@size-limit/esbuild' {
  export default function plugin(...args: unknown[]): unknown
}
declare module '@size-limit/file' {
  export default function plugin(...args: unknown[]): unknown
}
