// Writes generated/ from the contract; with --check it writes nothing and fails when generated/ is not what the
// contract gives.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeCallbackExamples } from './callback-examples.ts'
import { CLIENT_FILES, writeClient } from './client/client.ts'
import { EXPORT_FILES, writeExports } from './exports/exports.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const FILES = ['openapi.json', ...CLIENT_FILES, 'callback-examples.ts', ...EXPORT_FILES]

/** A tool of node_modules/.bin; what it says is shown only when it fails. */
function run(tool: string, ...args: readonly string[]): void {
  try {
    execFileSync(join(root, 'node_modules', '.bin', tool), args, {
      cwd: root,
      stdio: 'pipe',
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${tool} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

async function generateInto(folder: string): Promise<void> {
  run(
    'redocly',
    'bundle',
    'openapi/openapi.yaml',
    '--config',
    'openapi/redocly.yaml',
    '-o',
    join(folder, 'openapi.json'),
  )
  await writeClient(folder)
  writeCallbackExamples(join(folder, 'openapi.json'), join(folder, 'callback-examples.ts'))
  writeExports(folder)
}

function differs(folder: string, file: string): boolean {
  try {
    return readFileSync(join(folder, file), 'utf8') !== readFileSync(join(root, 'generated', file), 'utf8')
  } catch {
    return true // not there at all
  }
}

const folder = mkdtempSync(join(tmpdir(), 'malipo-generate-'))
try {
  await generateInto(folder)
  const changed = FILES.filter((file) => differs(folder, file))
  if (!process.argv.includes('--check')) {
    for (const file of changed) copyFileSync(join(folder, file), join(root, 'generated', file))
    console.log(
      changed.length > 0
        ? `written: ${changed.map((file) => `generated/${file}`).join(', ')}`
        : 'generated/ was up to date',
    )
  } else if (changed.length > 0) {
    console.error(
      `${changed.map((file) => `generated/${file}`).join(' and ')} differ from what openapi/ gives: run npm run generate`,
    )
    process.exitCode = 1
  } else {
    console.log('generated/ is what openapi/ gives')
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
