/** The source, home page and bug tracker in the manifest of a published package. */
export const whereFrom = (directory: string) => ({
  repository: { type: 'git', url: 'git+https://github.com/malipo/malipo.git', directory },
  homepage: `https://github.com/malipo/malipo/tree/main/${directory}#readme`,
  bugs: { url: 'https://github.com/malipo/malipo/issues' },
})
