import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { beyondBudget, BYTES_MAX, docsIn } from './page-budgets.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { path: folder, written } = temporaryFolder()

test('a docs page weighs all it loads; only one that exceeds the budget is named', async () => {
  mkdirSync(join(folder, 'assets'))
  // Random bytes cannot be compressed.
  written('assets/heavy-1.js', randomBytes(BYTES_MAX.docsPage))
  written('assets/search-texts-1.json', '{}')
  written('light.html', '<p>nothing loaded</p>')
  written('heavy.html', '<script src="/docs/assets/heavy-1.js"></script>')
  expect(beyondBudget(await docsIn(folder))).toEqual([
    expect.stringMatching(new RegExp(`^docs: heavy\\.html: 60\\d{3} of ${BYTES_MAX.docsPage} bytes$`)),
  ])
})
