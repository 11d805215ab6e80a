import { POST, REQUEST, rule, testEach } from './expected-change.ts'

testEach([
  rule(
    'a new required field of a request is major',
    ['components/schemas/CardRequest.yaml#/required', /new field `pin` is required \(pin in placeOrder\)/, 'pin'],
    [`${REQUEST} properties pin`, { type: 'string' }],
    [`${REQUEST} required`, ['method', 'currency', 'amount', 'pin']],
  ),
  rule(
    'a new optional field of a request is minor',
    ['components/schemas/CardRequest.yaml#/properties/pin', /field `pin` is new/, 'pin'],
    [`${REQUEST} properties pin`, { type: 'string' }],
  ),
  rule(
    'an optional field of a request that becomes required is major',
    ['components/schemas/CardRequest.yaml#/required', /`note` is now required: narrower/, 'note'],
    [`${REQUEST} required`, ['method', 'currency', 'amount', 'note']],
  ),
  rule(
    'a required field of a request that becomes optional is minor',
    ['components/schemas/CardRequest.yaml#/required', /`amount` is no longer required/, 'amount'],
    [`${REQUEST} required`, ['method', 'currency']],
  ),
  rule(
    'a removed field of a request is major',
    ['components/schemas/CardRequest.yaml#/properties/note', /`note` is gone/, 'note'],
    [`${REQUEST} properties note`, undefined],
  ),
  rule(
    'a shorter text in a request is major',
    ['components/schemas/CardRequest.yaml#/properties/note/maxLength', /from `50` to `40`: narrower/, 'note'],
    [`${REQUEST} properties note maxLength`, 40],
  ),
  rule(
    'a longer text in a request is minor',
    ['components/schemas/CardRequest.yaml#/properties/note/maxLength', /from `50` to `60`: wider/, 'note'],
    [`${REQUEST} properties note maxLength`, 60],
  ),
  rule(
    'a first bound of a request is major',
    ['components/schemas/CardRequest.yaml#/properties/note/minLength', /from nothing to `2`: narrower/, 'note'],
    [`${REQUEST} properties note minLength`, 2],
  ),
  rule(
    'a bound of a request that goes away is minor',
    ['components/schemas/CardRequest.yaml#/properties/amount/maximum', /to nothing: wider/, 'amount'],
    [`${REQUEST} properties amount maximum`, undefined],
  ),
  rule(
    'a higher minimum of a request is major',
    ['components/schemas/CardRequest.yaml#/properties/amount/minimum', /`1` to `5`: narrower/, 'amount'],
    [`${REQUEST} properties amount minimum`, 5],
  ),
  rule(
    'a lower minimum of a request is minor',
    ['components/schemas/CardRequest.yaml#/properties/amount/minimum', /`1` to `0`: wider/, 'amount'],
    [`${REQUEST} properties amount minimum`, 0],
  ),
  rule(
    'a number of a request that becomes an integer is major',
    ['components/schemas/CardRequest.yaml#/properties/amount/type', /`number` to `integer`: narrower/, 'amount'],
    [`${REQUEST} properties amount type`, 'integer'],
  ),
  rule(
    'another type of a request is major',
    ['components/schemas/CardRequest.yaml#/properties/note/type', /another form/, 'note'],
    [`${REQUEST} properties note type`, 'number'],
  ),
  rule(
    'another default of a request is major: it decides what is meant',
    [
      'components/schemas/CardRequest.yaml#/properties/hosted/default',
      /the default goes from `false` to `true`/,
      'hosted',
    ],
    [`${REQUEST} properties hosted default`, true],
  ),
  rule(
    'a value that a request may no longer have is major',
    ['components/schemas/CashRequest.yaml#/properties/size/enum', /loses the value `M`/, 'size'],
    ['components schemas CashRequest properties size enum', ['S']],
  ),
  rule(
    'a new value of a request is minor',
    ['components/schemas/CashRequest.yaml#/properties/size/enum', /gains the value `L`/, 'size'],
    ['components schemas CashRequest properties size enum', ['S', 'M', 'L']],
  ),
  rule(
    'a list of values for what was free in a request is major',
    ['components/schemas/CardRequest.yaml#/properties/note/enum', /`enum` goes from nothing/, 'note'],
    [`${REQUEST} properties note enum`, ['A']],
  ),
  rule(
    'a branch of a request that goes away is major',
    ['components/schemas/Request.yaml#/oneOf', /branch `CASH` of `method` is gone/, 'CASH'],
    ['components schemas Request oneOf 1', undefined],
    ['components schemas Request discriminator mapping CASH', undefined],
  ),
  rule(
    'a request whose branches are told apart by another field is major',
    ['components/schemas/Request.yaml#/discriminator', /told apart by `kind`, not by `method`/, 'placeOrder'],
    ['components schemas Request discriminator propertyName', 'kind'],
  ),
  rule(
    'a request that may have undeclared fields is minor',
    ['components/schemas/CardRequest.yaml#/additionalProperties', /from `false` to `true`: wider/, 'placeOrder'],
    [`${REQUEST} additionalProperties`, undefined],
  ),
  rule(
    'a body that becomes optional is minor',
    ['paths/orders.yaml#/post/requestBody/required', /body is no longer required/, 'placeOrder'],
    [`${POST} requestBody required`, false],
  ),
  rule(
    'a body that goes away is major',
    ['paths/orders.yaml#/post/requestBody', /no body any more/, 'placeOrder'],
    [`${POST} requestBody`, undefined],
  ),
  rule(
    'a media type of a request that goes away is major',
    [
      'paths/orders.yaml#/post/requestBody/content/application~1json',
      /media type `application\/json` is gone/,
      'placeOrder',
    ],
    [`${POST} requestBody content`, {}],
  ),
  rule(
    'a new media type of a request is minor',
    ['paths/orders.yaml#/post/requestBody/content/text~1csv', /media type `text\/csv` is new/, 'placeOrder'],
    [`${POST} requestBody content text/csv`, { schema: { type: 'string' } }],
  ),
  rule(
    'a keyword that no rule knows is major',
    ['components/schemas/CardRequest.yaml#/properties/note/not', /no rule says/, 'note'],
    [`${REQUEST} properties note not`, { enum: ['x'] }],
  ),
])
