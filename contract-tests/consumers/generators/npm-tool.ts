import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached } from './cache.ts'
import type { Generator } from './generator.ts'
import { runTool, words } from './run-tool.ts'

/** A generator installed with npm, with the packages that its clients or configuration import. */
interface NpmTool {
  readonly name: string
  readonly version: string
  /** Each with its version. */
  readonly packages: readonly string[]
  /** Its program, below `node_modules`. */
  readonly bin: string
}

/** The project's compiler: generators take the newest one otherwise. */
export const TYPESCRIPT = 'typescript@5.9.3'

/** A generator's `find`: the path is that of its program. */
export const npmTool =
  ({ name, version, packages, bin }: NpmTool): Generator['find'] =>
  ({ cache, install }) =>
    cached({
      cache,
      install,
      name: `${name}-${version}`,
      tool: join('node_modules', bin),
      fill: async (folder) => {
        await mkdir(folder, { recursive: true })
        await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
        return runTool('npm', [...words('install --silent --ignore-scripts --prefix'), folder, ...packages])
      },
    })

/** The folder of an installed tool, in which it finds its own packages. */
export const homeOf = (tool: string, bin: string): string => tool.slice(0, -join('node_modules', bin).length - 1)

/** Lets files in a folder import the packages of the tool. */
export const lendPackages = (home: string, folder: string): Promise<void> =>
  symlink(join(home, 'node_modules'), join(folder, 'node_modules'))
