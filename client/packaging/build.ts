// Builds dist/: JavaScript, types and source maps of everything that the package's entries import, as ES modules and,
// in dist/cjs/, as CommonJS. Run by `npm run build -w client`.
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile, publishAllTypes } from './compile.ts'

const client = fileURLToPath(new URL('..', import.meta.url))
const dist = join(client, 'dist')

/**
 * Rebuilds dist/, with the folders of the repository.
 * @throws Error with the compiler's messages
 */
export function build(): void {
  rmSync(dist, { recursive: true, force: true })
  for (const config of ['tsconfig.build.json', 'tsconfig.build-cjs.json']) compile(join(client, config))
  // Everything in this folder is CommonJS, its types too.
  writeFileSync(join(dist, 'cjs', 'package.json'), '{ "type": "commonjs", "sideEffects": false }\n')
  for (const folder of [dist, join(dist, 'cjs')])
    for (const types of ['schema.d.ts', 'admin.d.ts', 'sandbox.d.ts'])
      cpSync(join(client, '..', 'generated', types), join(folder, 'generated', types))
  // `malipo-dev new shop` reads them from here.
  cpSync(join(client, 'toolbox', 'templates'), join(dist, 'client', 'toolbox', 'templates'), { recursive: true })
  publishAllTypes(dist)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
