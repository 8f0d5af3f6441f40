/** Comments and blanks before the first word. */
const lead = /^(?:\s|--[^\n]*\n|\/\/[^\n]*\n|#[^\n]*\n)*/;

type Language = { readonly begins: RegExp; readonly changes: RegExp };

/** Languages in which one asks, and what changes something in each. Every pattern looks at a place at most so many letters ahead. */
const languages: readonly Language[] = [
  {
    // SPARQL 1.1 Update
    begins: /^(?:prefix|base|with|insert|delete|clear|drop|load|create|copy|move|add)\b/i,
    changes:
      /\b(?:insert|delete)\s{0,9}(?:data\s{0,9}|where\s{0,9})?\{|^(?:clear|drop|create)\s{1,9}(?:silent\s{1,9})?(?:all|named|default|graph)\b|^load\s{1,9}(?:silent\s{1,9})?<|^(?:copy|move|add)\s{1,9}(?:silent\s{1,9})?(?:graph|default|<)/i,
  },
  {
    // openCypher 9, and the procedures of APOC that write
    begins:
      /^(?:match|optional|merge|create|unwind|call|with|foreach|load|using|explain|profile|detach|use|cypher)\b/i,
    changes:
      /\bdetach\s{1,9}delete\b|\bdelete\s{1,9}\w|\bmerge\s{0,9}\(|\bcreate\s{0,9}\(|\bset\s{1,9}[\w`]{1,60}\s{0,9}(?:\.|:|\+?=)|\bremove\s{1,9}[\w`]{1,60}[.:]|\bcall\s{1,9}apoc\.(?:periodic|refactor|create|merge|trigger|cypher|export|nodes|atomic|lock|load)|\bload\s{1,9}csv\b|\bcall\s{1,9}dbms\./i,
  },
  {
    // SQL that asks and changes, or calls what does
    begins: /^(?:select|with|explain|exec|execute|declare|begin|do|set|call|values|from)\b/i,
    changes:
      /\binto\s{1,9}(?:outfile|dumpfile)\b|^select\b[^;]{0,400}\sinto\s{1,9}[#\w."[]|\b(?:pg_terminate_backend|pg_cancel_backend|pg_reload_conf|lo_unlink|lo_import|lo_export|setval|dblink_exec|pg_read_file|pg_write_file|xp_cmdshell|sys_exec|load_extension)\s{0,9}\(|\bxp_cmdshell\b|^set\s{1,9}(?:global|persist|password)\b|^exec(?:ute)?\s{1,9}\w/i,
  },
  {
    begins:
      /^(?:upsert|revoke|optimize|rename|shutdown|kill|load|copy|vacuum|reindex|refresh|delete|insert|update|replace|flush|purge|export|unload|handler|system|attach|detach)\b/i,
    changes:
      /^(?:upsert\s{1,9}into\b|revoke\s|optimize\s{1,9}table\b|rename\s{1,9}table\b|shutdown\s{0,9};?$|kill\s{1,9}(?:query\s{1,9})?\d|load\s{1,9}data\b|copy\s{1,9}\S{1,100}\s{1,9}(?:from|to)\b|vacuum\b\s{0,9}(?:full|;|$)|reindex\s{1,9}(?:table|index|database)|refresh\s{1,9}(?:table|materialized)|flush\s{1,9}(?:tables|privileges|logs)|purge\s{1,9}binary|export\s{1,9}data|unload\s{0,9}\(|system\s{1,9}(?:shutdown|kill|drop|stop|reload)|delete\s{1,9}\w{1,60}:\w|(?:delete|update)\s{1,9}\w{1,60}\s{1,9}(?:filter|set|where|content|merge)\b|insert\s{1,9}\w{1,60}\s{0,9}\{|(?:delete|insert|replace|rename)\s{1,9}(?:nodes?|value\s{1,9}of)\b)/i,
  },
  // Flux
  {
    begins: /^(?:import|from|option|\w{1,60}\s{0,9}=)/i,
    changes: /\|>\s{0,9}(?:[a-z]{1,30}\.)?(?:to|wideTo)\s{0,9}\(/i,
  },
  // Management commands of Kusto
  { begins: /^\./, changes: /^\.(?!show\b|help\b)[a-z][a-z-]{2,30}\s/i },
  // Gremlin
  {
    begins: /^g\s{0,9}\./,
    changes: /\.\s{0,9}(?:drop|addV|addE|property|mergeV|mergeE|sideEffect|io|write)\s{0,9}\(/,
  },
  // AQL
  {
    begins: /^(?:for|let|return|with)\b/i,
    changes: /\b(?:remove|update|insert|replace|upsert)\s{1,9}[\w{][^\n]{0,200}\b(?:in|into)\s{1,9}\w/i,
  },
  // Pipes of Splunk
  {
    begins: /^/,
    changes:
      /\|\s{0,9}(?:delete|outputlookup|outputcsv|sendemail|sendalert|collect|mcollect|runshellscript|script)\b(?!\s{0,9}[=:])/i,
  },
  // Painless, within an update
  { begins: /^/, changes: /\bctx\s{0,9}\.\s{0,9}(?:_source|op)\b/ },
];

/** Whether a statement of one of these languages changes something. Linear. */
export function changesByStatement(text: string): boolean {
  const statement = text.replace(lead, '');
  return languages.some(({ begins, changes }) => begins.test(statement) && changes.test(statement));
}

/** Commands of Redis and its like that change something. */
export const isWritingCommand = (text: string): boolean =>
  /^(?:flushall|flushdb|del|unlink|getdel|set|setex|setnx|mset|append|incr|decr|incrby|decrby|hset|hdel|hmset|lpush|rpush|lpop|rpop|lrem|sadd|srem|zadd|zrem|expire|persist|rename|shutdown|config|eval|evalsha|script|publish|restore|migrate|slaveof|replicaof|debug|xadd|xdel)$/i.test(
    text,
  );
