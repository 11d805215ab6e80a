// Writes generated/ from the contract; with --check it writes nothing and fails when generated/ differs from the
// contract.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { callbackExamplesModule } from './callback-examples.ts'
import { clientTexts } from './client/client.ts'
import { exportTexts } from './exports/exports.ts'
import { operatorTexts } from './operators/operators.ts'
import { parseDocument } from './reading/contract.ts'
import { bundleInto } from './redocly.ts'

/** The files of generated/, by name. */
async function generate(): Promise<Readonly<Record<string, string>>> {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-generate-'))
  try {
    const bundle = bundleInto(join(folder, 'openapi.json'))
    const document = parseDocument(bundle)
    return {
      'openapi.json': bundle,
      ...(await clientTexts(document)),
      'callback-examples.ts': callbackExamplesModule(document),
      ...exportTexts(bundle),
      ...(await operatorTexts(folder)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const fileOf = (name: string): string => fileURLToPath(new URL(`../generated/${name}`, import.meta.url))
const isCurrent = (name: string, text: string): boolean =>
  existsSync(fileOf(name)) && readFileSync(fileOf(name), 'utf8') === text

const changed = Object.entries(await generate()).filter(([name, text]) => !isCurrent(name, text))
const names = changed.map(([name]) => `generated/${name}`)
if (!process.argv.includes('--check')) {
  for (const [name, text] of changed) {
    mkdirSync(dirname(fileOf(name)), { recursive: true })
    writeFileSync(fileOf(name), text)
  }
  console.log(names.length > 0 ? `written: ${names.join(', ')}` : 'generated/ was up to date')
} else if (names.length > 0) {
  console.error(`${names.join(' and ')} differ from what openapi/ gives: run npm run generate`)
  process.exitCode = 1
} else {
  console.log('generated/ is what openapi/ gives')
}
