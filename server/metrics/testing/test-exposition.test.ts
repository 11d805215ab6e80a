import { expect, test } from 'vitest'
import { parseExposition } from './test-exposition.ts'

const GOOD =
  '# HELP a_total A.\n# TYPE a_total counter\na_total{x="1"} 2\n\n# HELP h H.\n# TYPE h histogram\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 5.5\nh_count 2\n'

test('accepts a good text', () => expect([...parseExposition(GOOD).keys()]).toEqual(['a_total', 'h']))

test.each([
  ['no HELP', GOOD.replace('# HELP a_total A.\n', '')],
  ['no TYPE', GOOD.replace('# TYPE a_total counter\n', '')],
  ['an unknown type', GOOD.replace('counter', 'count')],
  ['a family twice', GOOD + GOOD],
  ['a sample twice', GOOD.replace('a_total{x="1"} 2\n', 'a_total{x="1"} 2\na_total{x="1"} 3\n')],
  ['a sample of another family', GOOD.replace('a_total{', 'b_total{')],
  ['an unquoted label', GOOD.replace('x="1"', 'x=1')],
  ['a label twice', GOOD.replace('x="1"', 'x="1",x="2"')],
  ['no number', GOOD.replace('} 2\n', '} two\n')],
  ['a counter below zero', GOOD.replace('{x="1"} 2', '{x="1"} -2')],
  ['buckets that fall', GOOD.replace('le="1"} 1', 'le="1"} 3')],
  ['no +Inf', GOOD.replace('h_bucket{le="+Inf"} 2\n', '')],
  ['a count that is not the last bucket', GOOD.replace('h_count 2', 'h_count 3')],
  ['no sum', GOOD.replace('h_sum 5.5\n', '')],
  ['a last line without an end', GOOD.slice(0, -1)],
])('rejects %s', (_what, text) => expect(() => parseExposition(text)).toThrow())
