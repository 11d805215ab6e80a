import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { childEnv } from '../../verification/testing/child-env.ts'
import { runCommand } from '../../verification/testing/run-command.ts'
import { temporaryFolder } from '../../verification/testing/temporary-folder.ts'

// `malipo demo` as people run it, and the recording of it that the README shows. To record it again:
// npm run malipo -- demo --cast .github/pictures/demo.cast --svg .github/pictures/demo.svg

const { path: folder } = temporaryFolder()
const shown = (cast: string): readonly string[] =>
  cast
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => (JSON.parse(line) as readonly [number, string, string])[2])
const texts = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text)
const recorded = (name: string): string => join(import.meta.dirname, '../../../.github/pictures', name)

test('money moves once through three accidents, and the README shows such a run', async () => {
  const [cast, svg] = [join(folder, 'demo.cast'), join(folder, 'demo.svg')]
  const { code, out } = await runCommand(['demo', '--cast', cast, '--svg', svg], childEnv())
  expect([code, out]).toEqual([0, expect.stringMatching(/✓ {2}MTN counts {2}1 order, 1 paid\n.*\n✓ {2}the shop/)])
  expect(out.match(/^[✓✗]/gm)).toEqual(['✓', '✓', '✓'])
  expect(shown(readFileSync(recorded('demo.cast'), 'utf8'))).toEqual(shown(readFileSync(cast, 'utf8')))
  expect(texts(recorded('demo.svg'))).toEqual(texts(svg))
})
