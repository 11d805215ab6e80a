import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** From here on what is loaded is taken from the cache, or compiled and put there at the end of the process. */
export function useCompileCache(): void {
  // Beside the packages rather than in the temporary folder, where another user could put compiled code for us to run.
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/malipo', import.meta.url)))
}
