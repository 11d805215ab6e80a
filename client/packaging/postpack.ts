// Undoes prepack.ts.
import { renameSync } from 'node:fs'
import { KEPT, MANIFEST } from './manifest.ts'

renameSync(KEPT, MANIFEST)
