// Undoes prepack.ts.
import { fileURLToPath } from 'node:url'
import { manifestAt } from '../../../../client/packaging/manifest.ts'

manifestAt(fileURLToPath(new URL('../package.json', import.meta.url))).putBack()
