import { expect, test } from 'vitest'
import { filesOf, read } from '../verification/testing/source-tree.ts'

// A gateway without tracing does not load the library: it is imported in one file, and that file only by modules that
// are loaded when a collector is configured.

const isTest = (file: string): boolean => /\.test\.ts$|\/testing\//.test(file)
const files = filesOf('server/**/*.ts').filter((file) => !isTest(file))
/** Value imports only: types do not exist at run time. */
const importing = (what: RegExp): readonly string[] =>
  files.filter((file) =>
    [...read(file).matchAll(/^import (?!type )[^;]*? from '([^']+)'/gms)].some(([, from = '']) => what.test(from)),
  )

test('only one file imports the library', () => {
  expect(importing(/^@opentelemetry\//)).toEqual(['server/tracing/spans.ts'])
})

test('no module that a start loads leads to it', () => {
  expect(importing(/\/tracing\/(spans|create-tracing)\.ts$/)).toEqual([])
  expect(importing(/^\.\/(spans|create-tracing)\.ts$/).filter((file) => file.startsWith('server/tracing/'))).toEqual([])
  expect(read('server/tracing/open-tracing.ts')).toMatch(/import\('\.\/spans\.ts'\)/)
})
