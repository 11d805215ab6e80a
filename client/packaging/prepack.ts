// `npm pack` and `npm publish` run this first: builds, and puts the manifest for users in the place of ours until
// postpack.ts.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { build } from './build.ts'
import { KEPT, MANIFEST, publishedManifest } from './manifest.ts'

// Left there by a run that was stopped in the middle: the manifest beside it is the published one already.
if (existsSync(KEPT)) renameSync(KEPT, MANIFEST)
build()
const ours = readFileSync(MANIFEST, 'utf8')
writeFileSync(KEPT, ours)
writeFileSync(MANIFEST, publishedManifest(ours))
