import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached } from './cache.ts'
import type { Generator } from './generator.ts'
import { bring } from './programs.ts'
import { canRun, runInTurn, runTool, words } from './run-tool.ts'

const VERSION = '2.8.2'
const RUNTIME = 'github.com/oapi-codegen/runtime v1.8.0'

export const go: Generator = {
  name: 'oapi-codegen',
  language: 'Go',
  version: VERSION,
  reads: '3.1',
  explained: [],
  find: async ({ cache, install }) => {
    if (!(await canRun('go', ['version']))) return { missing: 'no Go' }
    return cached({
      cache,
      install,
      name: `oapi-codegen-${VERSION}`,
      tool: 'oapi-codegen',
      fill: (folder) =>
        runTool('go', ['install', `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${VERSION}`], {
          env: { GOBIN: folder },
        }),
    })
  },
  generate: async (tool, { folder, contract31 }) => {
    await mkdir(join(folder, 'malipo'), { recursive: true })
    // Without skip-prune the generator drops schemas that only webhooks use, but still generates types that refer to
    // them.
    const to = join(folder, 'malipo', 'malipo.go')
    return runTool(tool, [...words('-generate types,client,skip-prune -package malipo -o'), to, contract31])
  },
  compile: async (_tool, { folder }) => {
    await writeFile(join(folder, 'go.mod'), `module example.org/malipo-call\n\ngo 1.24\n\nrequire ${RUNTIME}\n`)
    await bring('call.go', join(folder, 'call.go'))
    return runInTurn(
      ...['mod tidy', 'vet ./...', 'build -o call .'].map((line) => () => runTool('go', words(line), { cwd: folder })),
    )
  },
  call: (_tool, { folder, url }) => runTool(join(folder, 'call'), [url]),
}
