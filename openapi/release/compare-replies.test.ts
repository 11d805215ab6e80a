import { ORDER, POST, rule, testEach } from './expected-change.ts'

testEach([
  rule(
    'a removed field of a reply is major',
    [
      'components/schemas/Order.yaml#/properties/colour',
      /`colour` is gone \(colour in getOrder, colour in placeOrder, colour in orderCallback\)/,
      'colour',
    ],
    [`${ORDER} properties colour`, undefined],
  ),
  rule(
    'a new field of a reply is minor',
    ['components/schemas/Order.yaml#/properties/size', /`size` is new/, 'size'],
    [`${ORDER} properties size`, { type: 'string' }],
  ),
  rule(
    'a field of a reply that need not be there any more is major',
    ['components/schemas/Order.yaml#/required', /`id` is no longer required: wider/, 'id'],
    [`${ORDER} required`, ['transaction_status']],
  ),
  rule(
    'a field of a reply that is always there now is minor',
    ['components/schemas/Order.yaml#/required', /`colour` is now required/, 'colour'],
    [`${ORDER} required`, ['id', 'transaction_status', 'colour']],
  ),
  rule(
    'a new value of a reply is major',
    ['components/schemas/Order.yaml#/properties/colour/enum', /gains the value `BLUE`: wider/, 'colour'],
    [`${ORDER} properties colour enum`, ['RED', 'BLUE']],
  ),
  rule(
    'a new status of a transaction is minor, and has its name in the changelog',
    ['components/schemas/Status.yaml#/enum', /`REFUNDED`, which the changelog must announce/, 'REFUNDED'],
    ['components schemas Status enum', ['OPEN', 'PAID', 'REFUNDED']],
  ),
  rule(
    'a new value of an open-ended list is minor, and has its name in the changelog',
    [
      'components/schemas/Order.yaml#/properties/loss/x-extensible-enum',
      /`burnt`, which the changelog must announce/,
      'burnt',
    ],
    [`${ORDER} properties loss x-extensible-enum`, ['stolen', 'burnt']],
  ),
  rule(
    'a value of an open-ended list that nobody sends any more is minor',
    ['components/schemas/Order.yaml#/properties/loss/x-extensible-enum', /no longer knows the value `stolen`/, 'loss'],
    [`${ORDER} properties loss x-extensible-enum`, []],
  ),
  rule(
    'a new event is minor, and has its name in the changelog',
    ['components/schemas/Event.yaml#/enum', /`order.lost`, which the changelog must announce/, 'order.lost'],
    ['components schemas Event enum', ['order.paid', 'order.lost']],
  ),
  rule(
    'a new branch of a callback is minor: it is a new event',
    ['components/schemas/LostCallback.yaml', /event `order.lost` is new/, 'order.lost'],
    ['components schemas Callback oneOf 1', { $ref: '#/components/schemas/LostCallback' }],
    ['components schemas Callback discriminator mapping order.lost', '#/components/schemas/LostCallback'],
  ),
  rule(
    'a longer text in a reply is major: merchants size their columns by it',
    ['components/schemas/Order.yaml#/properties/id/maxLength', /`20` to `30`: wider/, 'id'],
    [`${ORDER} properties id maxLength`, 30],
  ),
  rule(
    'a shorter text in a reply is minor',
    ['components/schemas/Order.yaml#/properties/id/maxLength', /narrower/, 'id'],
    [`${ORDER} properties id maxLength`, 10],
  ),
  rule(
    'another type in a list of a reply is major',
    ['components/schemas/Order.yaml#/properties/lines/items/type', /another form/, 'lines'],
    [`${ORDER} properties lines items type`, 'number'],
  ),
  rule(
    'a success that goes away is major',
    ['paths/orders.yaml#/post/responses/202', /status 202 is gone/, '202'],
    [`${POST} responses 202`, undefined],
  ),
  rule(
    'another success is major',
    ['paths/orders.yaml#/post/responses/201', /status 201 is new/, '201'],
    [`${POST} responses 201`, { description: 'Done.' }],
  ),
  rule(
    'another error is minor',
    ['paths/orders.yaml#/post/responses/409', /status 409 is new/, '409'],
    [`${POST} responses 409`, { description: 'Twice.' }],
  ),
  rule(
    'a header of a reply that goes away is major',
    ['components/responses/Order.yaml#/headers/X-Request-Id', /header `X-Request-Id` is gone/, 'X-Request-Id'],
    ['components responses Order headers', {}],
  ),
  rule(
    'a header of a reply that need not be there any more is major',
    ['components/responses/Order.yaml#/headers/X-Request-Id/required', /no longer required/, 'X-Request-Id'],
    ['components responses Order headers X-Request-Id required', false],
  ),
  rule(
    'a looser part of a reply is major',
    ['components/schemas/PaidOrder.yaml#/allOf', /from 2 to 1 parts: wider/, 'payload'],
    ['components schemas PaidOrder allOf 1', undefined],
  ),
])
