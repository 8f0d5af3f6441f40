import { expect, test } from 'vitest';
import { returnsToWords } from './returns-to.ts';

test('a private scheme is an app on this device, loopback a program with its port, and nothing else is either', () => {
  for (const [returnsTo, words] of [
    ['cursor:', 'an app on this device (scheme cursor)'],
    ['com.example.app:', 'an app on this device (scheme com.example.app)'],
    ['127.0.0.1:7777', 'a program on this device (port 7777)'],
    ['localhost:33418', 'a program on this device (port 33418)'],
    ['[::1]:1', 'a program on this device (port 1)'],
    ['localhost', 'a program on this device (port 80)'],
    ['client.example', 'client.example'],
    ['localhost.evil.example', 'localhost.evil.example'],
    ['127.0.0.1.evil.example:7777', '127.0.0.1.evil.example:7777'],
  ] as const)
    expect([returnsTo, returnsToWords(returnsTo)]).toEqual([returnsTo, words]);
});
