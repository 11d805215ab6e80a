import { GET, rule, testEach } from './expected-change.ts'

testEach([
  rule(
    'a new required parameter is major',
    ['paths/orders_{id}.yaml#/get/parameters/3', /required query parameter `page` is new/, 'page'],
    [`${GET} parameters 3`, { name: 'page', in: 'query', required: true, schema: { type: 'integer' } }],
  ),
  rule(
    'a new optional parameter is minor',
    ['paths/orders_{id}.yaml#/get/parameters/3', /query parameter `page` is new/, 'page'],
    [`${GET} parameters 3`, { name: 'page', in: 'query', schema: { type: 'integer' } }],
  ),
  rule(
    'a parameter that goes away is major',
    ['paths/orders_{id}.yaml#/get/parameters', /query parameter `currency` is gone/, 'currency'],
    [`${GET} parameters 1`, undefined],
  ),
  rule(
    'a parameter that becomes required is major',
    ['paths/orders_{id}.yaml#/get/parameters/1/required', /query parameter `currency` is now required/, 'currency'],
    [`${GET} parameters 1 required`, true],
  ),
  rule(
    'a version that a header no longer takes is major',
    ['paths/orders_{id}.yaml#/get/parameters/2/schema/enum', /loses the value `2`/, 'x-version'],
    [`${GET} parameters 2 schema enum`, [1]],
  ),
  rule(
    'another way to write a parameter is major',
    ['paths/orders_{id}.yaml#/get/parameters/1/style', /no rule says/, 'currency'],
    [`${GET} parameters 1 style`, 'pipeDelimited'],
  ),
])
