import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cached } from './cache.ts'
import type { Generator } from './generator.ts'
import { bring } from './programs.ts'
import { canRun, runInTurn, runTool, words } from './run-tool.ts'

const VERSION = '0.29.1'
const REQUIREMENTS = fileURLToPath(new URL('./python-requirements.txt', import.meta.url))
const PIP_INSTALL = '-m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: -r'
const PYTHON_CHECK = ['-c', 'import sys, venv; assert sys.version_info >= (3, 11)']

export const python: Generator = {
  name: 'openapi-python-client',
  language: 'Python',
  version: VERSION,
  reads: '3.1',
  explained: [],
  find: async ({ cache, install }) => {
    if (!(await canRun('python3', PYTHON_CHECK))) return { missing: 'no Python 3.11 or later with venv' }
    return cached({
      cache,
      install,
      name: `openapi-python-client-${VERSION}`,
      tool: 'bin/python',
      fill: (folder) =>
        runInTurn(
          () => runTool('python3', ['-m', 'venv', folder]),
          () => runTool(join(folder, 'bin', 'python'), [...words(PIP_INSTALL), REQUIREMENTS]),
        ),
    })
  },
  generate: (tool, { folder, contract31 }) =>
    runTool(
      tool,
      [
        ...words('-m openapi_python_client generate --meta none --fail-on-warning --path'),
        contract31,
        '--output-path',
        join(folder, 'malipo_client'),
      ],
      // It calls ruff, which is installed beside it.
      { env: { PATH: [dirname(tool), process.env.PATH].join(delimiter) } },
    ),
  compile: async (tool, { folder }) => {
    await bring('call.py', join(folder, 'call.py'))
    // Type-checked as its users check it. Inside, a variable gets two types wherever a class and its field share a
    // name.
    return runTool(
      tool,
      [
        ...words('-m mypy --strict --follow-imports silent --no-error-summary call.py --cache-dir'),
        join(dirname(dirname(tool)), 'mypy-cache'),
      ],
      { cwd: folder },
    )
  },
  call: (tool, { folder, url }) => runTool(tool, [join(folder, 'call.py'), url]),
}
