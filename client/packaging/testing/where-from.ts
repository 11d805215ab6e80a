/** What the manifest of a published package says of its source, its home page and the place for bugs. */
export const whereFrom = (directory: string) => ({
  repository: { type: 'git', url: 'git+https://github.com/malipo/malipo.git', directory },
  homepage: `https://github.com/malipo/malipo/tree/main/${directory}#readme`,
  bugs: { url: 'https://github.com/malipo/malipo/issues' },
})
