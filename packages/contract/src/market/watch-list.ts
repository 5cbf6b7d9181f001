import { ACCESS } from '../protocol/access.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import { watchChange, watchList } from './instruments.wire.ts'

export const getWatchList = defineEndpoint({
  name: 'getWatchList',
  method: 'GET',
  path: '/v1/api/forex/watch_list',
  access: ACCESS.watchList,
  request: nothing,
  response: watchList,
  summary: 'The instruments that the user has marked as their own list',
})

export const setWatched = defineEndpoint({
  name: 'setWatched',
  method: 'POST',
  path: '/v1/api/forex/set_watched',
  access: ACCESS.watchList,
  request: watchChange,
  response: watchList,
  summary: "Puts instruments on the user's own list or takes them off it; answers the list as it then is",
})
