import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Modules loaded from here on come from the compile cache, or are compiled and added to it when the process ends. */
export function useCompileCache(): void {
  // The cache is next to the packages: in the temporary folder another user could plant compiled code for us to run.
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/malipo', import.meta.url)))
}
