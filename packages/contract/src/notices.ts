import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import { pageQuery } from './wire/account.ts'
import { noticeChoices, noticePage, noticesRead, noticeSwitch, unreadNotices } from './wire/notice.ts'

export type NoticePage = Inside<typeof noticePage>
export type NoticeRow = NoticePage['notices'][number]
export type NoticeGroup = NoticeRow['group']
export type NoticeChoice = Inside<typeof noticeChoices>['choices'][number]
export type NoticeWay = Inside<typeof noticeSwitch>['way']

export const listNotices = defineEndpoint({
  name: 'listNotices',
  method: 'GET',
  path: '/api/notice/list',
  access: ACCESS.session,
  request: pageQuery,
  response: noticePage,
  summary:
    'What the user is told of, in the language of the call: margin, stop-outs, money, operators’ acts, security, news. Newest first, ten a page',
})

export const countUnreadNotices = defineEndpoint({
  name: 'countUnreadNotices',
  method: 'GET',
  path: '/api/notice/unread',
  access: ACCESS.session,
  request: nothing,
  response: unreadNotices,
  summary: 'How many notices the user has not read; counted to 99',
})

export const readNotices = defineEndpoint({
  name: 'readNotices',
  method: 'POST',
  path: '/api/notice/read',
  access: ACCESS.session,
  request: noticesRead,
  response: nothing,
  summary: 'Marks every notice up to a moment as read',
})

export const getNoticeChoices = defineEndpoint({
  name: 'getNoticeChoices',
  method: 'GET',
  path: '/api/notice/choices',
  access: ACCESS.session,
  request: nothing,
  response: noticeChoices,
  summary: 'Of what the user hears in the app and by mail; without a value where there is nothing to choose',
})

export const switchNotices = defineEndpoint({
  name: 'switchNotices',
  method: 'POST',
  path: '/api/notice/switch',
  access: ACCESS.session,
  request: noticeSwitch,
  response: nothing,
  summary: 'Switches notices of one group on or off, in the app or by mail; those of security stay on',
})
