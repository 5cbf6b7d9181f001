import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import {
  markNoticesReadRequest,
  NOTICE_KINDS,
  noticeChoices,
  noticePage,
  noticeQuery,
  noticeSwitch,
  unreadNotices,
} from './notices.wire.ts'

export { NOTICE_KINDS }

export type NoticePage = Infer<typeof noticePage>
export type NoticeRow = NoticePage['notices'][number]
export type NoticeGroup = NoticeRow['group']
export type NoticeChoice = Infer<typeof noticeChoices>['choices'][number]
export type NoticeWay = Infer<typeof noticeSwitch>['way']

export const listNotices = defineEndpoint({
  name: 'listNotices',
  method: 'GET',
  path: '/api/notice/list',
  access: ACCESS.session,
  request: noticeQuery,
  response: noticePage,
  summary:
    'What the user is informed of, in the language of the call: margin, stop-outs, money, operators’ acts, security, news. Newest first, ten a page',
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
  request: markNoticesReadRequest,
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
  summary:
    'What the user is notified of in the app, by mail and by push; without a value where there is nothing to choose',
})

export const switchNotices = defineEndpoint({
  name: 'switchNotices',
  method: 'POST',
  path: '/api/notice/switch',
  access: ACCESS.session,
  request: noticeSwitch,
  response: nothing,
  summary:
    'Switches notices of one group on or off, in the app, by mail or by push; those of security stay on',
})
