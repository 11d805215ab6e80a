import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bundleUrl, readContract } from './reading/contract.ts'

// A new operation is written once, in the contract: a file that names every operation is one more to maintain.

const ROOT = new URL('../', import.meta.url)
const FOLDERS = ['client', 'contract-tests', 'openapi', 'server']

/** These name all operations and must list a new one, because they do not compile without it. */
const DEMANDED = ['server/http/handlers/index.ts']
/** These use some operations only, and work without a new one. */
const CHOOSING = ['contract-tests/parts/arranged/arranged.ts', 'contract-tests/parts/declared/sandbox.ts']

test('no other TypeScript names every operation by hand', () => {
  const ids = readContract(bundleUrl)
    .operations.filter(({ kind }) => kind === 'operation')
    .map(({ id }) => id)
  // The newest operations may be missing in files that use some only: settled is what all of these name.
  const chosen = CHOOSING.map((file) => readFileSync(new URL(file, ROOT), 'utf8'))
  const settled = ids.filter((id) => chosen.every((text) => text.includes(id)))
  expect(settled.length).toBeGreaterThan(5)
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`),
  )
  const naming = files.filter((file) => {
    const text = readFileSync(new URL(file, ROOT), 'utf8')
    return settled.every((id) => text.includes(id))
  })
  expect(naming.toSorted()).toEqual([...DEMANDED, ...CHOOSING].toSorted())
})
