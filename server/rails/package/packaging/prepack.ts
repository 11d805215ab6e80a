// `npm pack` and `npm publish` run this first: it builds, and replaces our manifest with the one for users until
// postpack.ts runs.
import { fileURLToPath } from 'node:url'
import { manifestAt } from '../../../../client/packaging/manifest.ts'
import { build } from './build.ts'
import { settleModes } from '../../../../client/packaging/settle-modes.ts'

const manifest = manifestAt(fileURLToPath(new URL('../package.json', import.meta.url)))
manifest.putBack()
await build()
manifest.publish()
settleModes(fileURLToPath(new URL('..', import.meta.url)))
