"""compact"""
import re
from collections.abc import Callable
from typing import Final
from zlib import crc32

from nhlog.mdiff.align import align
from nhlog.mdiff.commands import (
    BETA3,
    COORD,
    COPY,
    COPYEDIT,
    COPYEDIT1,
    DIRECTIONS,
    EDIT,
    EOF_CRC32,
    ERASE,
    INCREMENT,
    ORDER,
    SEEK,
)
from nhlog.mdiff.commands import encode as encode_command
from nhlog.mdiff.prices import BYTES, Deflated, Frequencies

__all__ = ["encode"]

_DIRECTIONS: Final = {deltas: arg2 for arg2, deltas in enumerate(DIRECTIONS)}
_ZEROS: Final = re.compile(rb"\0{5,10}")
EFFORT=1600
WIDTH=8
SLACK=3.0
GAP=3
JOINS=3
SPLIT=10
WORTH=60

def encode(base: bytes, new: bytes, cost: Callable[[bytes], int] = len) -> bytes:
    return min(candidates(base,new),key=cost)

FRESH_FROM=400
ROUNDS=3
def candidates(base,new,cost=len):
    kept = align(base, new)
    diff = write(new,select(base, new, split(new, kept), BYTES))
    yield diff
    if len(diff) < WORTH: return
    if len(diff) >= FRESH_FROM:
        fresh = align(base, new, Deflated())
        c = write(new,select(base, new, fresh, BYTES))
        yield c
        if cost(c)<cost(diff): diff,kept=c,fresh
    for _ in range(ROUNDS):
        b = write(new,select(base, new, kept, Frequencies(diff)))
        yield b
        if cost(b)>=cost(diff): break
        diff=b

def split(new, stretches):
    out=[]
    for s in stretches:
        e=[]
        for a,b in s.edits:
            if b-a>5:
                for m in _ZEROS.finditer(new,a,b):
                    if m.start()>a: e.append((a,m.start()))
                    a=m.start()
                    if m.end()<b:
                        e.append((a,m.end())); a=m.end()
            e.append((a,b))
        out.append(s._replace(edits=e))
    return out

def write(new, steps):
    chain=[]
    while steps:
        commands, steps = steps
        chain.append(commands)
    order=ORDER; out=bytearray(BETA3)
    for commands in reversed(chain):
        for number,arg1,arg2,data in commands:
            code, order = encode_command(order, number, arg1, arg2)
            out += code + data
    return bytes(out)

def advance(tariff, states, ways, pending):
    command_price=tariff.command
    for order, anchor, price, steps in states:
        for stop, commands, extra, grid, anchored in ways:
            if grid is not None and grid != anchor: continue
            total=price+extra; o=order
            for number, arg1, arg2, _ in commands:
                p, o = command_price(o, number, arg1, arg2)
                total += p
            key=o,(anchor if anchored is None else anchored)
            there=pending.get(stop)
            if there is None: pending[stop]={key:(total,commands,steps)}
            else:
                known=there.get(key)
                if known is None or known[0]>total: there[key]=(total,commands,steps)

BONUS=0.;MINE=0;PART=1
AHEAD=8
def best(states, width, likely=None):
    if likely: l=sorted([(v[0]-BONUS*likely.get(k[1],0),k,v) for k,v in states.items()],key=lambda x:x[0])[:width]
    else: l=sorted([(v[0],k,v) for k,v in states.items()],key=lambda x:x[0])[:width]
    bound=l[0][0]+SLACK
    return [(k[0],k[1],v[0],(v[1],v[2]) if v[1] else v[2]) for p,k,v in l if p<=bound]

def select(base, new, stretches, tariff):
    n=sum(len(s.edits) for s in stretches)+len(stretches)
    width=max(1,min(WIDTH,EFFORT//n))
    arrived={(ORDER,0):(0.0,(),None)}
    position=0
    crc=crc32(new)
    for stretch in stretches:
        pending={stretch.start:arrived}
        if position!=stretch.start+stretch.shift:
            seek=((SEEK,position-stretch.start-stretch.shift,0,b''),)
            pending={}
            advance(tariff,best(arrived,width),[(stretch.start,seek,0.0,None,None)],pending)
        res=[residues(base,new,stretch,a,b) for a,b in stretch.edits]
        k=0; edits=stretch.edits; last=stretch is stretches[-1]
        while True:
            at=min(pending)
            while k<len(edits) and edits[k][1]<=at: k+=1
            if k==len(edits): break
            likely={}
            for rr in res[k:k+AHEAD]:
                for x in rr: likely[x]=likely.get(x,0)+1
            states=best(pending.pop(at),width,likely)
            advance(tariff,states,ways(base,new,stretch,k,at,tariff,last),pending)
        goal={}
        for at,states in pending.items():
            rest=stretch.stop-at
            if last: w=((EOF_CRC32,rest,crc,b''),)
            elif rest: w=((COPY,rest,0,b''),)
            else: w=()
            advance(tariff,best(states,width),[(stretch.stop,w,0.0,None,stretch.stop%85 if rest else None)],goal)
        [arrived]=goal.values()
        position=stretch.stop+stretch.shift
    return best(arrived,1)[0][3]

def residues(base,new,stretch,a,b):
    o=a+stretch.shift
    if b-a>2 or o<1 or o+b-a>len(base): return ()
    if b-a==2:
        return (a%85,) if bytes([(new[a]-base[o])&255,(new[a+1]-base[o+1])&255]) in _DIRECTIONS else ()
    d=(new[a]-base[o])&255
    return (a%85,(a-1)%85) if d in (1,255) else ()
def ways(base,new,stretch,k,at,tariff,last):
    edits=stretch.edits
    first,end=edits[k]
    if first<at: first=at
    copy=first-at
    out=[]
    d=tariff.data
    ends=[end]
    j=k
    while j+1<len(edits) and edits[j+1][0]-edits[j][1]<=GAP and len(ends)<JOINS:
        j+=1; ends.append(edits[j][1])
    if j+1==len(edits) and not last and ends[-1]<stretch.stop<=ends[-1]+GAP: ends.append(stretch.stop)
    c=((COPY,copy,0,b''),) if copy else ()
    an=first%85 if copy else None
    for e in ends:
        data=new[first:e]
        price=d(data)
        if e-first<=4: out.append((e,((COPYEDIT,copy,e-first-1,data),),price,None,None))
        if e-first>MINE: out.append((e,(*c,(EDIT,e-first-1,0,data)),price,None,an))
    if end-first>SPLIT: return out
    for n in range(1 if PART else 9,min(5,end-first)):
          data=new[first:first+n]
          out.append((first+n,((COPYEDIT,copy,n-1,data),),d(data),None,None))
    data=new[first:first+1]
    out.append((first+1,((COPYEDIT1,copy,0,data),),d(data),None,None))
    if new.startswith(b'\0\0\0',first):
        stop=min(first+10,stretch.stop)
        z=stop-first-len(new[first:stop].lstrip(b'\0'))
        if z>=3:
            reach=first+z; i=k
            while i<len(edits) and edits[i][0]<reach:
                z=max(3,min(edits[i][1],reach)-first); i+=1
            out.append((first+z,((ERASE,copy,z-3,b''),),0.0,None,None))
    o=first+stretch.shift
    if 0<=o<len(base):
        dx=(new[first]-base[o])&255
        if dx==1: out.append((first+1,((INCREMENT,copy,0,b''),),0.0,None,None))
        cs=[(first,bytes([dx]))]
        if first+1<stretch.stop and o+1<len(base):
            cs.append((first,bytes([dx,(new[first+1]-base[o+1])&255])))
        if copy: cs.append((first-1,bytes([0,dx])))
        for target,deltas in cs:
            arg2=_DIRECTIONS.get(deltas)
            if arg2 is None: continue
            units,rest=divmod(target-at,85)
            stop=target+len(deltas)
            coord=(COORD,units,arg2,b'')
            out.append((stop,(coord,),0.0,target%85,None))
            out.append((stop,((COPY,rest,0,b''),coord),0.0,None,target%85))
            if units: out.append((stop,((COPY,target-at,0,b''),(COORD,0,arg2,b'')),0.0,None,target%85))
    return out
