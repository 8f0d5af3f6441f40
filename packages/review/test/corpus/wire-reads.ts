import type { SentRequest } from '../../src/request/seen.ts';

/** `METHOD address`, its body, and what else it says of itself. */
export type WireLine = readonly [line: string, body?: string, given?: Partial<SentRequest>];

/**
 * Reads as frameworks put them on the wire: tables, data services, search engines, RPC, counting. The held-out half was written before
 * any rule was.
 */
export const wireReads: Readonly<Record<'tuned' | 'heldOut', readonly WireLine[]>> = {
  tuned: [
    ['POST /Grid/Read', 'sort=&page=1&pageSize=10&group=&filter='],
    [
      'POST /api/rows',
      '{"startRow":0,"endRow":100,"rowGroupCols":[],"valueCols":[],"pivotCols":[],"pivotMode":false,"groupKeys":[],"filterModel":{},"sortModel":[]}',
    ],
    ['POST /orders/data', '_search=false&nd=1700000000&rows=20&page=1&sidx=id&sord=asc'],
    [
      'POST /views/ajax',
      'view_name=orders&view_display_id=page_1&view_args=&view_path=orders&view_dom_id=a1&pager_element=0&page=2&_drupal_ajax=1',
    ],
    [
      'POST /web/dataset/call_kw/sale.order/name_search',
      '{"jsonrpc":"2.0","method":"call","params":{"model":"sale.order","method":"name_search","args":[],"kwargs":{}}}',
    ],
    ['POST /?wc-ajax=get_refreshed_fragments', 'time=1700000000'],
    ['POST /api/ds/query', '{"queries":[{"refId":"A"}],"from":"now-1h","to":"now"}'],
    ['POST /api/dataset', '{"database":1,"query":{"source-table":2},"type":"query","parameters":[]}'],
    ['POST /internal/bsearch', '{"batch":[{"request":{"params":{"index":"a"}}}]}'],
    ['POST /multi_search', '{"searches":[{"collection":"a","q":"x"}]}'],
    [
      'POST /v1/projects/p/databases/(default)/documents:runQuery',
      '{"structuredQuery":{"from":[{"collectionId":"orders"}],"limit":10}}',
    ],
    ['POST /v1/accounts:lookup?key=k', '{"idToken":"x"}'],
    ['POST /rest/v1/rpc/get_orders', '{"p_limit":10}'],
    [
      'POST /jmap/api',
      '{"using":["urn:ietf:params:jmap:core"],"methodCalls":[["Email/query",{"accountId":"a"},"0"],["Email/get",{"ids":["x"]},"1"]]}',
    ],
    ['POST /api/v3/loadPageChunk', '{"page":{"id":"x"},"limit":50,"chunkNumber":0,"cursor":{"stack":[]}}'],
    ['POST /youtubei/v1/search', '{"context":{"client":{"hl":"en"}},"query":"x"}'],
    ['POST /twirp/shop.Orders/ListOrders', '{"limit":5}'],
    ['POST /', 'Action=ListBuckets&Version=2016-11-15'],
    ['POST /decide/?v=3', '{"token":"x","distinct_id":"y"}'],
    ['POST /api/event', '{"n":"pageview","u":"https://shop.example/a","d":"shop.example","r":null}'],
    ['POST /api/v2/rum?ddsource=browser', '{"type":"view","date":1}\n{"type":"action","date":2}'],
    ['POST /g/collect?v=2&tid=G-X', 'en=page_view'],
    ['POST /matomo.php?action_name=x&idsite=1', ''],
    ['POST /api/orders/load', '{"skip":0,"take":20,"requireTotalCount":true}'],
    ['POST /rest/search/v2', '{"q":"x","numberOfResults":10}'],
    ['POST /graphql', '[{"operationName":"A","query":"query A { a }"},{"query":"{ b }"}]'],
    ['POST /solr/orders/select', 'q=*:*&rows=10&start=0&wt=json'],
    [
      'POST /XRMServices/2011/Organization.svc/web',
      '<s:Envelope><s:Body><RetrieveMultiple/></s:Body></s:Envelope>',
    ],
    ['POST /flags/?v=2', '{"token":"x","distinct_id":"y"}'],
    ['POST /messenger/web/ping', 'app_id=x'],
  ],
  heldOut: [
    ['POST /Orders/Orders_Read', 'sort=Date-desc&page=2&pageSize=20&group=&filter='],
    ['POST /Home/UrlDatasource', '{"requiresCounts":true,"skip":0,"take":12}'],
    ['POST /orders/read.action', 'page=1&start=0&limit=25&sort=date&dir=DESC'],
    [
      'POST /web/dataset/call_kw/sale.order/web_read_group',
      '{"jsonrpc":"2.0","method":"call","params":{"model":"sale.order","method":"web_read_group","args":[],"kwargs":{}}}',
    ],
    [
      'POST /web/dataset/call_kw/sale.order/get_views',
      '{"jsonrpc":"2.0","method":"call","params":{"model":"sale.order","method":"get_views","args":[],"kwargs":{}}}',
    ],
    ['POST /soap', '<s:Envelope><s:Body><ListInvoices><page>1</page></ListInvoices></s:Body></s:Envelope>'],
    ['POST /rest/V1/guest-carts/abc/estimate-shipping-methods', '{"address":{"country_id":"DE"}}'],
    ['POST /api/v1/query_range', 'query=up&start=1&end=2&step=15'],
    ['POST /api/card/7/query', '{"parameters":[]}'],
    ['POST /orders/_count', '{"query":{"match_all":{}}}'],
    ['POST /multi-search', '{"queries":[{"indexUid":"a","q":"x"}]}'],
    ['POST /v1/projects/p/databases/(default)/documents:batchGet', '{"documents":["a"]}'],
    ['POST /rest/v1/rpc/search_products', '{"term":"pen"}'],
    ['POST /api/v3/queryCollection', '{"collection":{"id":"x"},"loader":{"limit":50}}'],
    ['POST /youtubei/v1/browse', '{"context":{"client":{"hl":"en"}},"browseId":"x"}'],
    ['POST /shop.v1.OrderService/GetOrder', '{"id":"7"}'],
    ['POST /', 'Action=GetCallerIdentity&Version=2011-06-15'],
    ['POST /cdn-cgi/rum?', '{"memory":{},"resources":[],"referrer":""}'],
    ['POST /_blazor/negotiate?negotiateVersion=1', ''],
    // Written when the rules stood, for those that were moved to the other half.
    [
      'POST /api/method/frappe.desk.reportview.get',
      'doctype=Sales+Order&fields=%5B%22name%22%5D&start=0&page_length=20',
    ],
    ['POST /api/method/frappe.client.get_list', 'doctype=Customer&limit_page_length=20'],
    ['POST /rest/api/3/search', '{"jql":"project = A","startAt":0,"maxResults":50}'],
    ['POST /xmlrpc/2/object', '<methodCall><methodName>search_read</methodName><params/></methodCall>'],
    ['POST /api/orders/page', '{"pageNum":1,"pageSize":10,"orderBy":"date"}'],
    ['POST /loki/api/v1/query_range', 'query=%7Bapp%3D%22a%22%7D&limit=100&start=1&end=2'],
    ['POST /api/now/graphql', '{"query":"query { incidents { id } }","variables":{}}'],
    ['POST /_plausible/event/collect', '{"event":"pageview","url":"https://shop.example/"}'],
    ['POST /table/data', '{"page":1,"size":10,"sort":[],"filter":[]}'],
    ['POST /api/as/v1/engines/x/search.json', '{"query":"x"}'],
    ['POST /api/2024-01/graphql.json', '{"query":"query P { products { id } }"}'],
  ],
};
