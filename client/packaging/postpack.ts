// Undoes prepack.ts.
import { fileURLToPath } from 'node:url'
import { manifestAt } from './manifest.ts'

manifestAt(fileURLToPath(new URL('../package.json', import.meta.url))).putBack()
