import { GET, only, testEach } from './expected-change.ts'

testEach([
  only(
    'a new required parameter is major',
    [[`${GET} parameters 3`, { name: 'page', in: 'query', required: true, schema: { type: 'integer' } }]],
    'major',
    'paths/orders_{id}.yaml#/get/parameters/3',
    /required query parameter `page` is new/,
    'page',
  ),
  only(
    'a new optional parameter is minor',
    [[`${GET} parameters 3`, { name: 'page', in: 'query', schema: { type: 'integer' } }]],
    'minor',
    'paths/orders_{id}.yaml#/get/parameters/3',
    /query parameter `page` is new/,
    'page',
  ),
  only(
    'a parameter that goes away is major',
    [[`${GET} parameters 1`, undefined]],
    'major',
    'paths/orders_{id}.yaml#/get/parameters',
    /query parameter `currency` is gone/,
    'currency',
  ),
  only(
    'a parameter that becomes required is major',
    [[`${GET} parameters 1 required`, true]],
    'major',
    'paths/orders_{id}.yaml#/get/parameters/1/required',
    /query parameter `currency` is now required/,
    'currency',
  ),
  only(
    'a version that a header no longer takes is major',
    [[`${GET} parameters 2 schema enum`, [1]]],
    'major',
    'paths/orders_{id}.yaml#/get/parameters/2/schema/enum',
    /loses the value `2`/,
    'x-version',
  ),
  only(
    'another way to write a parameter is major',
    [[`${GET} parameters 1 style`, 'pipeDelimited']],
    'major',
    'paths/orders_{id}.yaml#/get/parameters/1/style',
    /no rule says/,
    'currency',
  ),
])
