import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { beyondBudget, BYTES_MAX, docsIn } from './page-budgets.ts'

test('a docs page weighs all it loads; only one that exceeds the budget is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-budget-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'assets'))
  // Random bytes cannot be compressed.
  writeFileSync(join(folder, 'assets', 'heavy-1.js'), randomBytes(BYTES_MAX.docsPage))
  writeFileSync(join(folder, 'assets', 'search-texts-1.json'), '{}')
  writeFileSync(join(folder, 'light.html'), '<p>nothing loaded</p>')
  writeFileSync(join(folder, 'heavy.html'), '<script src="/docs/assets/heavy-1.js"></script>')
  expect(beyondBudget(await docsIn(folder))).toEqual([
    expect.stringMatching(new RegExp(`^docs: heavy\\.html: 60\\d{3} of ${BYTES_MAX.docsPage} bytes$`)),
  ])
})
