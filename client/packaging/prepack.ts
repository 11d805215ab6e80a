// `npm pack` and `npm publish` run this first: it builds, and replaces our manifest with the one for users until
// postpack.ts runs.
import { fileURLToPath } from 'node:url'
import { build } from './build.ts'
import { manifestAt } from './manifest.ts'
import { settleModes } from './settle-modes.ts'

const manifest = manifestAt(fileURLToPath(new URL('../package.json', import.meta.url)))
manifest.putBack()
build()
manifest.publish()
settleModes(fileURLToPath(new URL('..', import.meta.url)))
