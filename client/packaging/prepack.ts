// `npm pack` and `npm publish` of a package of ours run this first, in its folder: it builds, and replaces our manifest
// with the one for users until postpack.ts runs.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { manifestAt } from './manifest.ts'
import { settleModes } from './settle-modes.ts'

const folder = process.cwd()
const manifest = manifestAt(join(folder, 'package.json'))
manifest.putBack()
const { build } = (await import(pathToFileURL(join(folder, 'packaging', 'build.ts')).href)) as { build: () => unknown }
await build()
manifest.publish()
settleModes(folder)
