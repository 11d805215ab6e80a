import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Generator } from './generator.ts'
import { findOpenapiGenerator, runOpenapiGenerator, sharedByLanguages } from './openapi-generator.ts'
import { bring } from './programs.ts'
import { canRun, runTool } from './run-tool.ts'

export const rust: Generator = {
  ...sharedByLanguages,
  name: 'openapi-generator rust',
  language: 'Rust',
  explained: [
    {
      line: /cannot be used as an? .*Renamed to/,
      why: 'names in the style of Rust; what goes over the wire keeps its name',
    },
  ],
  find: async (options) =>
    (await canRun('cargo', ['--version'])) ? findOpenapiGenerator(options) : { missing: 'no Rust (cargo)' },
  generate: (tool, job) =>
    runOpenapiGenerator(tool, job, 'rust', ['--additional-properties', 'packageName=malipo,supportAsync=false']),
  compile: async (tool, { folder }) => {
    const project = join(folder, 'malipo')
    await mkdir(join(project, 'examples'), { recursive: true })
    await bring('call.rs', join(project, 'examples', 'call.rs'))
    // Without TLS, which a local gateway does not speak: this halves the build. Build results stay in the cache folder.
    return runTool(
      'cargo',
      ['build', '--quiet', '--no-default-features', '--example', 'call', '--target-dir', targetFolder(tool)],
      { cwd: project },
    )
  },
  call: (tool, { url }) => runTool(join(targetFolder(tool), 'debug', 'examples', 'call'), [url]),
}

const targetFolder = (jar: string): string => join(dirname(dirname(jar)), 'rust-target')
