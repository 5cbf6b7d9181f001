/**
 * The mark for unread news. In a file of its own because every page loads it, and only the news screens load the
 * list.
 */
import { ACCESS } from '../protocol/access.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import { newsMoment, newsSeen } from './content.wire.ts'

export const getLatestNews = defineEndpoint({
  name: 'getLatestNews',
  method: 'GET',
  path: '/api/news/latest',
  access: ACCESS.information,
  request: nothing,
  response: newsMoment,
  summary: 'When the latest news or announcement was published; null where there is none',
})

export const getNewsSeen = defineEndpoint({
  name: 'getNewsSeen',
  method: 'GET',
  path: '/api/news/seen',
  access: ACCESS.session,
  request: nothing,
  response: newsMoment,
  summary: 'Up to which moment of publishing the user has seen the list of news; null for never',
})

export const reportNewsSeen = defineEndpoint({
  name: 'tellNewsSeen',
  method: 'POST',
  path: '/api/news/tell_seen',
  access: ACCESS.session,
  request: newsSeen,
  response: nothing,
  summary: 'Remembers that the user has seen the list of news up to a moment; never goes back',
})
