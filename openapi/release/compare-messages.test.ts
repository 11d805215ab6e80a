import { POST, WEBHOOK, rule, testEach } from './expected-change.ts'

testEach([
  rule(
    'a signature that no longer comes with a callback is major',
    ['webhooks/order_callback.yaml#/post/parameters', /header parameter `signature` is gone/, 'signature'],
    [`${WEBHOOK} parameters 0`, undefined],
  ),
  rule(
    'another header of a callback is minor, even one that always comes',
    ['webhooks/order_callback.yaml#/post/parameters/1', /header parameter `id` is new/, 'id'],
    [`${WEBHOOK} parameters 1`, { name: 'id', in: 'header', required: true, schema: { type: 'string' } }],
  ),
  rule(
    'an answer to callbacks that is no longer understood is major',
    ['webhooks/order_callback.yaml#/post/responses/410', /status 410 is gone/, '410'],
    [`${WEBHOOK} responses 410`, undefined],
  ),
  rule(
    'a callback that goes away is major',
    ['webhooks/order_callback.yaml', /webhook `orderCallback` is gone/, 'orderCallback'],
    ['webhooks orderCallback', undefined],
  ),
  rule(
    'a new callback is minor',
    ['webhooks/refund_callback.yaml', /webhook `refundCallback` is new/, 'refundCallback'],
    ['webhooks refundCallback', { post: { operationId: 'refundCallback' } }],
  ),
  rule(
    'a redirect that goes away is major',
    ['paths/orders.yaml#/post/callbacks/redirect', /callback `redirect` is gone/, 'redirect'],
    [`${POST} callbacks redirect`, undefined],
  ),
])
