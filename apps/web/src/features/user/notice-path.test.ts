import type { NoticeRow } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { aliasOf, routeOf } from '../../app/routes.ts'
import { noticePath } from './notice-path.ts'

const row = (change: Partial<NoticeRow>): NoticeRow =>
  ({ kind: 'deposited', group: 'deposit', orderId: null, newsId: null, ...change }) as NoticeRow

const GROUPS = [
  ...(['margin', 'stopOut', 'orders', 'account', 'deposit', 'withdrawal'] as const),
  ...(['identity', 'news', 'support', 'security'] as const),
]

test('a notice leads to the item, or else to the order, that it is about', () => {
  expect(noticePath(row({ newsId: 5, orderId: 41 }))).toBe('/news/detail?id=5')
  expect(noticePath(row({ orderId: 41 }))).toBe('/order?list=history&order=41')
})

test.each([
  ['stopOut', 'stopOut', '/order?list=history'],
  ['withdrawalAsked', 'withdrawal', '/mine/withdraw'],
  ['methodBound', 'security', '/mine/wallet'],
  ['passwordChanged', 'security', '/mine/activity'],
  ['marginWarning', 'margin', '/order'],
] as const)('one of %s (%s) leads to %s', (kind, group, path) =>
  expect(noticePath(row({ kind, group }))).toBe(path),
)

test.each(GROUPS)('one of %s leads to a screen that there is', (group) => {
  const [pathname = ''] = noticePath(row({ group })).split('?')
  expect(routeOf(pathname) ?? aliasOf(pathname)).not.toBeNull()
})
