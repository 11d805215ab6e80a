import { fileURLToPath } from 'node:url'

/** Path of a file that comes with the package. The CommonJS build replaces this module by its own. */
export const packageFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
