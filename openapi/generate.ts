// Writes generated/ from the contract, and from the code tables of its pages and files of server/deploy; with --check it
// writes nothing and fails when one of these files differs from what it is written from.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adminTexts } from './admin/admin.ts'
import { callbackExamplesModule } from './callback-examples.ts'
import { clientTexts } from './client/client.ts'
import { deploymentFiles } from './deployment-files.ts'
import { exportTexts } from './exports/exports.ts'
import { operatorTexts } from './operators/operators.ts'
import { pagesWithCommands } from './packages.ts'
import { pagesWithTables } from './page-tables.ts'
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
      ...(await adminTexts(folder)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const root = new URL('../', import.meta.url)
const fileOf = (path: string): string => fileURLToPath(new URL(path, root))
const isCurrent = ([path, text]: readonly [string, string]): boolean =>
  existsSync(fileOf(path)) && readFileSync(fileOf(path), 'utf8') === text

const isCheck = process.argv.includes('--check')

/** Writes what has changed, unless --check forbids it. @returns the paths of what has changed */
function update(texts: readonly (readonly [path: string, text: string])[]): string[] {
  const changed = texts.filter((each) => !isCurrent(each))
  if (!isCheck)
    for (const [path, text] of changed) {
      mkdirSync(dirname(fileOf(path)), { recursive: true })
      writeFileSync(fileOf(path), text)
    }
  return changed.map(([path]) => path)
}

async function updateAll(): Promise<void> {
  // The bundle contains the pages.
  const pages = { ...pagesWithTables(), ...(await pagesWithCommands()) }
  const changed = update(Object.entries({ ...pages, ...(await deploymentFiles()) }))
  const generated = Object.entries(await generate())
  changed.push(...update(generated.map(([name, text]) => [`generated/${name}`, text])))
  if (!isCheck) {
    console.log(changed.length > 0 ? `written: ${changed.join(', ')}` : 'generated/ was up to date')
  } else if (changed.length > 0) {
    console.error(`${changed.join(' and ')} differ from what openapi/ and the code give: run npm run generate`)
    process.exitCode = 1
  } else {
    console.log('generated/ is what openapi/ gives')
  }
}

try {
  await updateAll()
} catch (error) {
  if (!(error instanceof Error)) throw error
  // A contract that cannot be generated is the author's fault, not the program's: its message names the place.
  console.error(`${error.message}\nnpm run lint names the file and the line.`)
  process.exitCode = 1
}
