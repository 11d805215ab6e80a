import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cached } from './cache.ts'
import type { Generator, Job } from './generator.ts'
import { bring } from './programs.ts'
import { runTool, words, type ToolResult } from './run-tool.ts'

const MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  types: ['node'],
}

/** How Node runs a client. */
const KINDS = {
  /** Directly: the client imports with file endings and has erasable types only. */
  module: {
    options: { module: 'NodeNext', allowImportingTsExtensions: true, noEmit: true },
    call: 'call.ts',
  },
  /** Compiled: the client imports without file endings, or has enums. */
  commonjs: {
    options: { module: 'CommonJS', moduleResolution: 'Node10', outDir: 'compiled' },
    call: 'compiled/call.js',
  },
} as const

/** Compiles `call.ts` with the strictest usual options, and runs it. */
function ofKind(name: string, kind: keyof typeof KINDS) {
  const { options, call } = KINDS[kind]
  return {
    name,
    language: 'TypeScript',
    reads: '3.1',
    explained: [],
    compile: async (_tool, { folder }) => {
      await bring(`${name}.ts`, join(folder, 'call.ts'))
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: kind }))
      const config = { compilerOptions: { ...STRICT, ...options }, files: ['call.ts'] }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
      return runTool(process.execPath, [join(MODULES, 'typescript/bin/tsc'), '-p', folder])
    },
    call: (_tool, { folder, url }) => runTool(process.execPath, [join(folder, call), url]),
  } satisfies Partial<Generator>
}

/** The generator of our own client; it is a dependency of the project. */
export const openapiTypescript: Generator = {
  ...ofKind('openapi-typescript', 'module'),
  version: '7.13.0',
  find: async () => ({ tool: join(MODULES, '.bin/openapi-typescript') }),
  generate: (tool, { folder, contract31 }) =>
    runTool(tool, [contract31, '-o', join(folder, 'schema.d.ts'), '--default-non-nullable', 'false']),
}

/** A generator that npm installs. */
interface NpmGenerator {
  readonly name: string
  readonly version: string
  readonly kind: keyof typeof KINDS
  /** Packages that its clients or its configuration import, each with its version; absent: the generator alone. */
  readonly packages?: readonly string[]
  /** Its program, below `node_modules`. */
  readonly bin: string
  /** Clients or a configuration in the job's folder import packages of the generator. */
  readonly lends?: true
  /** Arguments for a client in `malipo`; may write a configuration first. */
  readonly args: (job: Job) => readonly string[] | Promise<readonly string[]>
}

function fromNpm({ name, version, kind, packages = [], bin, lends, args }: NpmGenerator): Generator {
  const program = join('node_modules', bin)
  return {
    ...ofKind(name, kind),
    version,
    find: ({ cache, install }) =>
      cached({
        cache,
        install,
        name: `${name}-${version}`,
        tool: program,
        fill: async (folder) => {
          await mkdir(folder, { recursive: true })
          await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
          return runTool('npm', [...words('install --silent --ignore-scripts --prefix'), folder, ...packages])
        },
      }),
    generate: async (tool, job): Promise<ToolResult> => {
      const home = tool.slice(0, -program.length - 1)
      if (lends) await symlink(join(home, 'node_modules'), join(job.folder, 'node_modules'))
      await writeFile(join(job.folder, 'package.json'), JSON.stringify({ type: kind }))
      // Where it finds its own packages.
      const cwd = lends ? job.folder : home
      return runTool(process.execPath, [tool, ...(await args(job))], { cwd, env: { DO_NOT_TRACK: '1' } })
    },
  }
}

/** The project's compiler: generators take the newest one otherwise. */
const TYPESCRIPT = 'typescript@5.9.3'
const HEY_API = '0.99.0'
const OAZAPFTS = '7.5.0'
const ORVAL = '8.38.0'
/** The newest version for which all of its plugins exist. */
const KUBB = '4.39.3'
const SWAGGER = '13.13.0'

export const npmGenerators: readonly Generator[] = [
  fromNpm({
    name: 'hey-api',
    version: HEY_API,
    kind: 'commonjs',
    packages: [`@hey-api/openapi-ts@${HEY_API}`, TYPESCRIPT],
    bin: '@hey-api/openapi-ts/bin/run.js',
    args: ({ folder, contract31 }) => ['-i', contract31, '-o', join(folder, 'malipo')],
  }),
  fromNpm({
    name: 'oazapfts',
    version: OAZAPFTS,
    kind: 'module',
    packages: [`oazapfts@${OAZAPFTS}`, '@oazapfts/runtime@1.2.0', TYPESCRIPT],
    bin: 'oazapfts/dist/cli.js',
    lends: true,
    args: ({ folder, contract31 }) => [contract31, join(folder, 'malipo.ts')],
  }),
  fromNpm({
    name: 'orval',
    version: ORVAL,
    kind: 'commonjs',
    packages: [`orval@${ORVAL}`, 'prettier@3.10.1', TYPESCRIPT],
    bin: 'orval/dist/bin/orval.mjs',
    args: async ({ folder, contract31: input, url: baseUrl }) => {
      const config = join(folder, 'orval.config.cjs')
      const output = { target: join(folder, 'malipo.ts'), client: 'fetch', mode: 'single', headers: true, baseUrl }
      await writeFile(config, `module.exports = ${JSON.stringify({ malipo: { input, output } })}\n`)
      return ['--config', config]
    },
  }),
  fromNpm({
    name: 'kubb',
    version: KUBB,
    kind: 'module',
    packages: [
      ...words('cli core plugin-oas plugin-ts plugin-client').map((name) => `@kubb/${name}@${KUBB}`),
      TYPESCRIPT,
    ],
    bin: '@kubb/cli/bin/kubb.cjs',
    lends: true,
    args: async ({ folder, contract31 }) => {
      await writeFile(join(folder, 'kubb.config.mjs'), kubbConfig(contract31))
      return words('generate --config kubb.config.mjs')
    },
  }),
  fromNpm({
    name: 'swagger-typescript-api',
    version: SWAGGER,
    kind: 'commonjs',
    packages: [`swagger-typescript-api@${SWAGGER}`],
    bin: 'swagger-typescript-api/dist/cli.mjs',
    args: ({ folder, contract31 }) => [...words('generate -n malipo.ts -p'), contract31, '-o', folder],
  }),
]

/** `bundle` includes the client's own code, so that the generated code has no dependency. */
const kubbConfig = (contract: string): string => `import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

export default defineConfig({
  root: '.',
  input: { path: ${JSON.stringify(contract)} },
  output: { path: './malipo', clean: true, format: false, lint: false },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch', bundle: true, paramsType: 'object' })],
})
`
