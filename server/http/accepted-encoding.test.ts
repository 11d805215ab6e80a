import { expect, test } from 'vitest'
import { acceptedEncoding } from './accepted-encoding.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['br;q=oops, gzip;q=0.1', 'gzip'],
  [['gzip', 'br'], 'br'],
])('Accept-Encoding %j is answered with %j', (header, expected) => expect(acceptedEncoding(header)).toBe(expected))
