import { fileURLToPath } from 'node:url'

/** Path of a file that comes with the package. The CommonJS build has a file of its own in this one's place. */
export const packageFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
