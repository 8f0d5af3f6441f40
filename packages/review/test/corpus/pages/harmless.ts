import { type Page, page } from './page.ts';

const click = 'click #it';
const one = (name: string, body: string, at = '/app'): Page => page(name, at, click, body);

/** What is clicked to read, as pages of applications have it. */
export const harmlessPages: readonly Page[] = [
  one(
    'a tab of a shop’s orders',
    '<div role="tablist"><div role="tab">All</div><div role="tab" id="it" aria-selected="false">To pay</div></div>',
  ),
  one('a link of a menu', '<nav><a id="it" href="/purchase/orders?view=list">Purchase orders</a></nav>'),
  one('a button of a default type outside of any form', '<button id="it">Transfer history</button>'),
  one('a button of a default type that pages', '<button id="it">Next page</button>'),
  one('a link to a message', '<ul><li>Hello <a id="it" href="/posts/5">Read post</a></ul>'),
  one(
    'the answer that declines',
    '<div role="dialog"><h2>Delete item?</h2><button>Yes, delete</button><button id="it">No, do not delete</button></div>',
  ),
  one('a heading of a card', '<div class="card"><h3 id="it">Payments</h3><p>3 open</p></div>'),
  one('a link to slips', '<a id="it" href="/hr/slips?year=2026">Pay slips</a>'),
  one('a button to slips', '<button type="button" id="it">Pay slips</button>'),
  one('a folder', '<a id="it" href="/mail?folder=5">Deleted items</a>'),
  one('a tab of subscriptions', '<button role="tab" id="it">Subscriptions</button>'),
  one(
    'an accordion',
    '<h3><button id="it" aria-expanded="false" aria-controls="x">Delete account</button></h3><div id="x" hidden>How to do so.</div>',
  ),
  one('a menu with what can be done', '<button id="it" aria-haspopup="menu">Share</button>'),
  one('what is folded', '<details><summary id="it">Cancel subscription</summary><p>Call us.</p></details>'),
  one(
    'a pager of a grid',
    `<table><tr><td><a id="it" href="javascript:__doPostBack('grid','Page$2')">2</a></table>`,
    '/orders.aspx',
  ),
  one(
    'a link of nothing but a script',
    '<a id="it" href="javascript:void(0)" onclick="void 0">Show more</a>',
  ),
  one(
    'a column that is sorted by a script',
    `<table><tr><th><a id="it" href="javascript:__doPostBack('ctl00$grid','Sort$Payment')">Payment</a></table>`,
  ),
  one(
    'a banner that is accepted',
    '<div id="banner" role="dialog" aria-label="Privacy"><p>We use cookies and share data with partners.</p><button>Reject all</button><button id="it">Accept all</button></div>',
  ),
  one(
    'a banner that is rejected, in a form',
    '<form method="dialog"><p>We value your privacy: cookies.</p><button id="it">Reject all</button><button>Accept all</button></form>',
  ),
  one(
    'a banner with the least',
    '<div><p>Cookies help us to deliver our services.</p><button id="it">Only necessary</button></div>',
  ),
  one(
    'a banner that is agreed to',
    '<section><h2>Cookie settings</h2><p>By clicking OK you agree that we share data.</p><button id="it">OK</button></section>',
  ),
  one('a row of a list', '<div role="row" id="it"><span>Invoice 7</span><span>To pay</span></div>'),
  one(
    'a tree of folders',
    '<ul role="tree"><li role="treeitem" id="it" aria-expanded="false">Transfers</ul>',
  ),
  one('a filter by a radio button', '<label><input type="radio" name="f" id="it"> Withdraw requests</label>'),
  one('a filter by a check box', '<label><input type="checkbox" id="it"> Show deleted</label>'),
  one('a link within a help', '<a id="it" href="/help/17">Delete your account</a>'),
  one('a question among others', '<a id="it" href="/faq?id=17">How can I cancel my order?</a>'),
  one('a report', '<button id="it">Payment overview</button>'),
  one(
    'a step back',
    '<form method="post" action="/x"><button type="button" id="it">Back to payments</button></form>',
  ),
  one(
    'a closing cross',
    '<div role="alertdialog"><p>Delete this file?</p><button id="it" aria-label="Close">×</button></div>',
  ),
  one(
    'a cancellation of what was asked',
    '<div role="dialog"><h2>Delete item?</h2><button>Delete</button><button id="it">Cancel</button></div>',
  ),
  page(
    'a choice of pages',
    '/list',
    'select #it=50',
    '<label>Rows <select id="it"><option>10<option>50</select></label>',
  ),
  page(
    'a choice of what is shown',
    '/list',
    'select #it=t',
    '<label>Kind <select id="it"><option value="a">All<option value="t">Transfer<option value="p">Purchase</select></label>',
  ),
  page(
    'a menu that leads to a page',
    '/list',
    'select #it=/payments?year=2025',
    '<select id="it" onchange="location = this.value"><option>Go to…<option value="/payments?year=2025">Payments 2025</select>',
  ),
  page(
    'a search by Enter',
    '/list',
    'fill #it=delete, press #it',
    '<h1>Transfer money</h1><form role="search" action="/search"><input id="it" type="search" name="q"><button>Search</button></form>',
  ),
  one(
    'a filter that is applied, by GET',
    '<h2>Payments</h2><form><select name="y"><option>2026</select><button id="it">Apply</button></form>',
  ),
  one('a product', '<a id="it" href="/p/17?ref=home">Delete key cap, grey</a>'),
  one('a message of a list', '<a id="it" href="/inbox?m=5">Your order was cancelled</a>'),
  one('a German folder', '<a id="it" href="/post?ordner=9">Gelöschte Elemente</a>'),
  one('German orders', '<button id="it">Bestellungen und Zahlungen</button>'),
];
