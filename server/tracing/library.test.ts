import { expect, test } from 'vitest'
import { filesOf, read } from '../testing/source-tree.ts'

// A gateway without traces neither loads nor knows the library: it is imported in one file, which is imported by those
// that are only loaded when a collector is named.

const isTest = (file: string): boolean => /\.test\.ts$|\/testing\//.test(file)
const files = filesOf('server/**/*.ts').filter((file) => !isTest(file))
/** As values: a type is gone when the program runs. */
const importing = (what: RegExp): readonly string[] =>
  files.filter((file) =>
    [...read(file).matchAll(/^import (?!type )[^;]*? from '([^']+)'/gms)].some(([, from = '']) => what.test(from)),
  )

test('only one file imports the library', () => {
  expect(importing(/^@opentelemetry\//)).toEqual(['server/tracing/spans.ts'])
})

test('nothing that a start loads leads to it', () => {
  expect(importing(/\/tracing\/(spans|create-tracing)\.ts$/)).toEqual([])
  expect(importing(/^\.\/(spans|create-tracing)\.ts$/).filter((file) => file.startsWith('server/tracing/'))).toEqual([])
  expect(read('server/tracing/open-tracing.ts')).toMatch(/import\('\.\/spans\.ts'\)/)
})
