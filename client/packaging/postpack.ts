// Undoes prepack.ts.
import { manifestAt } from './manifest.ts'

manifestAt('package.json').putBack()
