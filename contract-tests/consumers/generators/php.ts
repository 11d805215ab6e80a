import { join } from 'node:path'
import type { Generator } from './generator.ts'
import { findOpenapiGenerator, runOpenapiGenerator, sharedByLanguages } from './openapi-generator.ts'
import { bring } from './programs.ts'
import { canRun, runTool } from './run-tool.ts'

/** Checks every file in one process. PHP has no compiler that links, so each class is also loaded. */
const LOAD_ALL = `require './load.php'; foreach (glob('malipo/lib/{,*/}*.php', GLOB_BRACE) as $file) require_once $file;`

export const php: Generator = {
  ...sharedByLanguages,
  name: 'openapi-generator php',
  language: 'PHP',
  explained: [],
  find: async (options) => {
    if (!(await canRun('php', ['--version']))) return { missing: 'no PHP' }
    if (!(await canRun('php', ['-r', `require 'GuzzleHttp/autoload.php';`])))
      return { missing: 'no Guzzle in the include path of PHP (Debian: php-guzzlehttp-guzzle)' }
    return findOpenapiGenerator(options)
  },
  generate: (tool, job) => runOpenapiGenerator(tool, job, 'php', []),
  compile: async (_tool, { folder }) => {
    await bring('call.php', join(folder, 'call.php'))
    await bring('load.php', join(folder, 'load.php'))
    return runTool('php', ['-r', LOAD_ALL], { cwd: folder })
  },
  call: (_tool, { folder, url }) => runTool('php', [join(folder, 'call.php'), url]),
}
